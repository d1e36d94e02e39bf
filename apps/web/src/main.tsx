import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { loadConfig, pageIsStale, readEmbeddedJson } from './api/config.ts';
import { type Answers, storeAnswers } from './api/public/public.queries.ts';
import { queryClient } from './api/query-client.ts';
import { resolveSession } from './auth/resolve-session.ts';
import { becomeInteractive } from './browser/early-input.ts';
import { identifyHistoryEntry } from './navigation/scroll-position.tsx';
import { moveKeyToFragment } from './navigation/paths.ts';
import { preloadPage, routes } from './routes.tsx';
import { MediaUrl, PreviewReader } from './ui/pictures/picture.tsx';
import { shareThemeWith } from './ui/theme/theme.ts';
import './styles.css';
import './ui/icons/network-icons.css';

const readPreview = (id: string) => import('./auth/picture-preview.ts').then((part) => part.readPreview(id));

// No top-level await: the chunks awaited here import this one, and each would wait for the other.
async function start(): Promise<void> {
  moveKeyToFragment();
  const place = document.getElementById('root') ?? document.body;
  const show = (app: ReactNode) => {
    // The server's elements have no listeners: the browser would submit the form of a button clicked early.
    place.replaceChildren();
    becomeInteractive();
    createRoot(place).render(app);
  };
  try {
    const config = await loadConfig();
    shareThemeWith(new URL(config.keycloak.url, location.href).hostname);
    storeAnswers(queryClient, readEmbeddedJson<Answers>('stoa-answers') ?? {}, pageIsStale());
    // A network that was lost before this code ran must still count as reconnected later.
    onlineManager.setOnline(navigator.onLine);
    identifyHistoryEntry();
    // With hydration data the router keeps the scroll position of a page that is already on screen.
    const router = createBrowserRouter(routes, { hydrationData: {} });
    const app = (
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <MediaUrl value={config.mediaUrl}>
            <PreviewReader value={readPreview}>
              <RouterProvider router={router} />
            </PreviewReader>
          </MediaUrl>
        </QueryClientProvider>
      </StrictMode>
    );
    const isThere = place.hasChildNodes() && (await preloaded());
    resolveSession();
    // A transition hydrates in slices, so that the browser handles taps in between.
    if (isThere) startTransition(() => void hydrateRoot(place, app));
    else show(app);
    // The page neither waits for this code nor needs it.
    import('./start/after-start.ts').then(({ afterStart }) => afterStart(router), console.error);
  } catch (error) {
    console.error(error);
    const { StartFailed } = await import('./start/start-failed.tsx');
    show(<StartFailed />);
  }
}

/** Resolves to whether the page's code has loaded. Without it the page shows its own error. */
const preloaded = (): Promise<boolean> =>
  preloadPage(location.pathname).then(
    () => true,
    () => false,
  );

void start();
