import { type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { loadConfig, readWritten } from './api/config.ts';
import { type Answers, rememberAnswers } from './api/resource.ts';
import { resolveSession } from './auth/resolve-session.ts';
import { becomeInteractive } from './browser/early-input.ts';
import './browser/history-entries.ts';
import { moveKeyToFragment } from './paths.ts';
import { AppRoutes, preloadPage } from './routes.tsx';
import { MediaUrl } from './ui/picture.tsx';
import { shareThemeWith } from './ui/theme.ts';
import './styles.css';

// No top-level await: the chunks that are awaited here import this one, and each would wait for the other.
async function start(): Promise<void> {
  moveKeyToFragment();
  const place = document.getElementById('root') ?? document.body;
  const show = (app: ReactNode) => {
    // What stands there from the server hears of nothing: a button clicked early would have its form sent by the browser.
    place.replaceChildren();
    becomeInteractive();
    createRoot(place).render(app);
  };
  try {
    const config = await loadConfig();
    shareThemeWith(new URL(config.keycloak.url, location.href).hostname);
    rememberAnswers(readWritten<Answers>('stoa-answers') ?? {});
    const app = (
      <StrictMode>
        <MediaUrl value={config.mediaUrl}>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </MediaUrl>
      </StrictMode>
    );
    const isThere = place.hasChildNodes() && (await preloaded());
    resolveSession();
    if (isThere) hydrateRoot(place, app);
    else show(app);
  } catch (error) {
    console.error(error);
    const { StartFailed } = await import('./start-failed.tsx');
    show(<StartFailed />);
  }
}

/** Whether the page's code has come; without it the page says so in its own way. */
const preloaded = (): Promise<boolean> =>
  preloadPage(location.pathname).then(
    () => true,
    () => false,
  );

void start();
