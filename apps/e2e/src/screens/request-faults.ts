import { expect, type Page } from '@playwright/test';
import { theSystem } from '../system.ts';

// These hold the browser's network, not the service behind it: the screens are looked at beside other tests, which need
// every service. `spec/outages` brings the same states about by pausing and stopping the services themselves.

/** Answers to these addresses never come. */
export const stallRequests = (page: Page, address: string) => page.route(address, () => undefined);

/** What is sent to these addresses is never taken; what is read from them comes. */
export const stallUploads = (page: Page, address: string) =>
  page.route(address, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));

/** Calls to these addresses break off. */
export const abortRequests = (page: Page, address: string) => page.route(address, (route) => route.abort());

/** Calls to these addresses are answered so, also across origins. */
export const fulfillRequests = (page: Page, address: string, status: number, json: object) =>
  page.route(address, (route) =>
    route.fulfill({
      status,
      json,
      headers: {
        'access-control-allow-origin': theSystem().siteUrl,
        'access-control-allow-credentials': 'true',
      },
    }),
  );

export const expectAlert = (page: Page) => expect(page.getByRole('alert').first()).toBeVisible();
export const expectInvalidField = (page: Page) =>
  expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
