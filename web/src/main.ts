import './app/app';
