import { QueryClientProvider } from '@tanstack/react-query';
import { render as renderAlone } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createBrowserRouter, createMemoryRouter, RouterProvider } from 'react-router-dom';
import { queryClient } from '../api/query-client.ts';

/** Renders components that read the API. */
export function render(ui: ReactNode) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderAlone(ui, { wrapper });
}

/** Every address shows `page`, which may contain routes. */
const everywhere = (page: ReactNode) => [{ path: '*', element: page }];

export function renderAt(address: string, page: ReactNode) {
  const router = createMemoryRouter(everywhere(page), { initialEntries: [address] });
  return render(<RouterProvider router={router} />);
}

/** The same with the address and history of the test's window. */
export function renderInBrowser(page: ReactNode) {
  const router = createBrowserRouter(everywhere(page), { hydrationData: {} });
  return render(<RouterProvider router={router} />);
}

/** Finds the innermost element whose whole text is `words`, even if child elements hold parts of it. */
export const withText =
  (words: string) =>
  (_: string, element: Element | null): boolean =>
    element?.textContent === words && [...element.children].every((child) => child.textContent !== words);
