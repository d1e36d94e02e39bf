import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { type Answers, storeAnswers } from './api/public/public.queries.ts';
import { newQueryClient } from './api/query-client.ts';
import { routes } from './routes.tsx';
import { MediaUrl } from './ui/pictures/picture.tsx';

interface PageSource {
  /** The path and query of the page. */
  address: string;
  answers: Answers;
  mediaUrl: string;
}

const { query, dataRoutes } = createStaticHandler(routes);

/**
 * Renders a page to the HTML that the browser's first render produces from the same answers. @throws errors
 * of components
 */
export async function renderPage({ address, answers, mediaUrl }: PageSource): Promise<string> {
  // Only the path and query are read.
  const context = await query(new Request(`http://localhost${address}`));
  if (context instanceof Response) throw new Error(`${address} redirects.`);
  const client = newQueryClient();
  storeAnswers(client, answers);
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <MediaUrl value={mediaUrl}>
        <QueryClientProvider client={client}>
          <StaticRouterProvider
            router={createStaticRouter(dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </QueryClientProvider>
      </MediaUrl>
    </StrictMode>,
    // React's streamed parts need inline scripts, which the content security policy forbids.
    { progressiveChunkSize: Infinity, onError: (error) => void errors.push(error) },
  );
  // React leaves a failed part to the browser. The whole page can be left to it then.
  if (errors.length > 0) throw errors[0];
  return new Response(prelude).text();
}
