import { expect, type Page } from '@playwright/test';
import { theSystem } from '../system.ts';

// These faults affect only this browser, because other tests need the services. Tests in `spec/outages` stop and pause
// services instead.

/** Requests to this address never get an answer. */
export const stallRequests = (page: Page, address: string) => page.route(address, () => undefined);

/** POST requests to this address never get an answer. Other requests continue. */
export const stallUploads = (page: Page, address: string) =>
  page.route(address, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));

/** Requests to this address fail with a network error. */
export const abortRequests = (page: Page, address: string) => page.route(address, (route) => route.abort());

/** Requests to this address get this answer, even if they come from another origin. */
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

export const expectAlert = (page: Page) =>
  expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
export const expectInvalidField = (page: Page) =>
  expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
