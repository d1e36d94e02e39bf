import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { loadConfig } from './api/config.ts';
import { resolveSession } from './auth/resolve-session.ts';
import './browser/history-entries.ts';
import { moveKeyToFragment } from './paths.ts';
import { AppRoutes } from './routes.tsx';
import { MediaUrl } from './ui/picture.tsx';
import { shareThemeWith } from './ui/theme.ts';
import './styles.css';

// No top-level await: the chunks that are awaited here import this one, and each would wait for the other.
async function start(): Promise<void> {
  moveKeyToFragment();
  const root = createRoot(document.getElementById('root') ?? document.body);
  try {
    const config = await loadConfig();
    shareThemeWith(new URL(config.keycloak.url, location.href).hostname);
    resolveSession();
    root.render(
      <StrictMode>
        <MediaUrl value={config.mediaUrl}>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </MediaUrl>
      </StrictMode>,
    );
  } catch (error) {
    console.error(error);
    const { StartFailed } = await import('./start-failed.tsx');
    root.render(<StartFailed />);
  }
}

void start();
