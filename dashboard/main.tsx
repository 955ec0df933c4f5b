import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/look/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { trustStyles } from './app/look/trusted-types.ts';

trustStyles();
createRoot(document.getElementById('root')!).render(<App />);
