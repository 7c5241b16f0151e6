import './lab_app';
