import type { Page } from '@playwright/test';

type AriaRole = Parameters<Page['getByRole']>[0];

/** An element on a page, by its role and name, its label or its text. */
export type Target = (
  { role: AriaRole; name?: string | RegExp } | { label: string | RegExp } | { text: string | RegExp }
) & {
  /** Searches only within this element. */
  in?: Target;
};

export interface Setup {
  dark: boolean;
  width: number;
  height: number;
}

export interface SavedFile {
  name: string;
  bytes: Buffer;
}

/** A visitor with a browser of any engine. Each action waits until its element exists. */
export interface Visitor {
  /** Opens a page of the site, and waits until it is interactive. */
  open: (path: string) => Promise<void>;
  /** Navigates by the router of the site, without loading a new document. */
  follow: (path: string) => Promise<void>;
  back: () => Promise<void>;
  address: () => Promise<URL>;
  sees: (thing: Target) => Promise<void>;
  seesNo: (thing: Target) => Promise<void>;
  click: (thing: Target) => Promise<void>;
  fill: (thing: Target, text: string) => Promise<void>;
  /** Selects a file, by its path on this machine, for an upload field. */
  attach: (thing: Target, path: string) => Promise<void>;
  press: (key: 'Tab' | 'Enter' | 'Escape') => Promise<void>;
  hasFocus: (thing: Target) => Promise<boolean>;
  attribute: (thing: Target, name: string) => Promise<string | null>;
  /** Evaluates a JavaScript expression in the page. */
  value: <T>(expression: string) => Promise<T>;
  /** Clicks, and waits until the browser has saved the file. */
  download: (thing: Target) => Promise<SavedFile>;
  /**
   * Errors of the page, and violations of its content policy. WebKit's driver does not report them, so there the page records
   * them when it is interactive.
   */
  errors: () => Promise<string[]>;
}

/** A browser engine. It is started once for many visitors. */
export interface Engine {
  visit: (setup: Setup) => Promise<Visit>;
  stop: () => Promise<void>;
}

/** A visitor with a new browser. */
export interface Visit {
  visitor: Visitor;
  /** Screenshot of the window as PNG. */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}

/** A JavaScript expression that makes the site's router open a path. */
export const navigateExpression = (path: string): string =>
  `(history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate')))`;
