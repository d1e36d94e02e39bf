import { type ReactNode, startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { loadConfig, pageAgeMs, readEmbeddedJson } from './api/config.ts';
import { type Answers, primeResources } from './api/resource.ts';
import { resolveSession } from './auth/resolve-session.ts';
import { becomeInteractive } from './browser/early-input.ts';
import { identifyHistoryEntry } from './browser/scroll-position.tsx';
import { moveKeyToFragment } from './paths.ts';
import { preloadPage, routes } from './routes.tsx';
import { MediaUrl, PreviewReader } from './ui/picture.tsx';
import { shareThemeWith } from './ui/theme.ts';
import './styles.css';
import './ui/network-icons.css';

const readPreview = (id: string) => import('./auth/picture-preview.ts').then((part) => part.readPreview(id));

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
    primeResources(readEmbeddedJson<Answers>('stoa-answers') ?? {}, pageAgeMs());
    identifyHistoryEntry();
    // With it the router leaves a page that is there already where the reader has scrolled it to.
    const router = createBrowserRouter(routes, { hydrationData: {} });
    const app = (
      <StrictMode>
        <MediaUrl value={config.mediaUrl}>
          <PreviewReader value={readPreview}>
            <RouterProvider router={router} />
          </PreviewReader>
        </MediaUrl>
      </StrictMode>
    );
    const isThere = place.hasChildNodes() && (await preloaded());
    resolveSession();
    // In slices: what is tapped meanwhile is answered between two of them.
    if (isThere) startTransition(() => void hydrateRoot(place, app));
    else show(app);
    // Nothing waits for it, and nothing is lost without it.
    import('./after-start.ts').then(({ afterStart }) => afterStart(router), console.error);
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
