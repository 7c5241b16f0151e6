import './app/app';
import { keepOffline } from './app/offline';

keepOffline();
