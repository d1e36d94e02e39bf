import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { type Answers, primeResources, ResourceEntries } from './api/resource.ts';
import { routes } from './routes.tsx';
import { MediaUrl } from './ui/picture.tsx';

interface PageSource {
  /** Path and query of the page. */
  address: string;
  answers: Answers;
  mediaUrl: string;
}

const { query, dataRoutes } = createStaticHandler(routes);

/** The HTML of a page, as the browser's first render makes it from the same answers. @throws whatever a component throws */
export async function renderPage({ address, answers, mediaUrl }: PageSource): Promise<string> {
  // Only path and query are read.
  const context = await query(new Request(`http://localhost${address}`));
  if (context instanceof Response) throw new Error(`${address} leads elsewhere.`);
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <MediaUrl value={mediaUrl}>
        <ResourceEntries value={primeResources(answers, 0, new Map())}>
          <StaticRouterProvider
            router={createStaticRouter(dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </ResourceEntries>
      </MediaUrl>
    </StrictMode>,
    // Parts that are sent apart are put into place by scripts within the page, which its policy refuses.
    { progressiveChunkSize: Infinity, onError: (error) => void errors.push(error) },
  );
  // The part that one of them happened in is left to the browser, and then the page may be as well.
  if (errors.length > 0) throw errors[0];
  return new Response(prelude).text();
}
