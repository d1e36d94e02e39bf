import type { Page } from '@playwright/test';

type AriaRole = Parameters<Page['getByRole']>[0];

/** An element on a page, identified by its role and name, its label or its text. */
export type Target = (
  { role: AriaRole; name?: string | RegExp } | { label: string | RegExp } | { text: string | RegExp }
) & {
  /** Limits the search to this element. */
  in?: Target;
};

/** The visitor's browser settings. */
export interface Setup {
  dark: boolean;
  width: number;
  height: number;
}

/** A file that a browser has saved. */
export interface SavedFile {
  name: string;
  bytes: Buffer;
}

/** A visitor with a browser of any engine. Actions wait for their element. */
export interface Visitor {
  /** Opens a page of the site and waits until it is interactive. */
  open: (path: string) => Promise<void>;
  /** Navigates within the site, without a new document. */
  follow: (path: string) => Promise<void>;
  back: () => Promise<void>;
  /** The URL of the open page. */
  address: () => Promise<URL>;
  sees: (thing: Target) => Promise<void>;
  seesNo: (thing: Target) => Promise<void>;
  click: (thing: Target) => Promise<void>;
  fill: (thing: Target, text: string) => Promise<void>;
  /** Selects a file of this machine. */
  attach: (thing: Target, path: string) => Promise<void>;
  press: (key: 'Tab' | 'Enter' | 'Escape') => Promise<void>;
  hasFocus: (thing: Target) => Promise<boolean>;
  attribute: (thing: Target, name: string) => Promise<string | null>;
  /** The value of a JavaScript expression in the page. */
  value: <T>(expression: string) => Promise<T>;
  /** Clicks and waits for the downloaded file. */
  download: (thing: Target) => Promise<SavedFile>;
  /**
   * The errors of the page and its violations of the Content-Security-Policy. WebKit's driver does not report them, so
   * there the document itself records them once it is interactive.
   */
  errors: () => Promise<string[]>;
}

/** A browser engine, started once for many visitors. */
export interface Engine {
  visit: (setup: Setup) => Promise<Visit>;
  stop: () => Promise<void>;
}

/** A visitor with a fresh browser. */
export interface Visit {
  visitor: Visitor;
  /** A screenshot of the window as PNG. */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}

/** A JavaScript expression that makes the site's router navigate to a path. */
export const navigateExpression = (path: string): string =>
  `(history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate')))`;
