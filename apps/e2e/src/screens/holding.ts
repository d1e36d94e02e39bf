import { expect, type Page } from '@playwright/test';

// These hold the browser's network, not the service behind it: the screens are looked at beside other tests, which need
// every service. `spec/outages` brings the same states about by pausing and stopping the services themselves.

/** Answers to these addresses never come. */
export const hold = (page: Page, address: string) => page.route(address, () => undefined);

/** Calls to these addresses break off. */
export const refuse = (page: Page, address: string) => page.route(address, (route) => route.abort());

export const failed = (page: Page) => expect(page.getByRole('alert').first()).toBeVisible();
export const invalid = (page: Page) => expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
