import type { Page } from '@playwright/test';

type AriaRole = Parameters<Page['getByRole']>[0];

/** Something on a page as a person finds it: by its role and name, its label, or its words. */
export type Thing = (
  { role: AriaRole; name?: string | RegExp } | { label: string | RegExp } | { text: string | RegExp }
) & {
  /** Only in what this is. */
  in?: Thing;
};

/** How a visitor has set up their browser. */
export interface Setup {
  dark: boolean;
  width: number;
  height: number;
}

/** What a browser has saved, and under which name. */
export interface SavedFile {
  name: string;
  bytes: Buffer;
}

/** Somebody with a browser of one of the engines, whatever drives it. What they act on is waited for. */
export interface Visitor {
  /** Opens a page of the site, and waits until it answers to its visitor. */
  open: (path: string) => Promise<void>;
  /** Comes to a page from within the site, without a new document. */
  follow: (path: string) => Promise<void>;
  back: () => Promise<void>;
  /** The address of the page that is open. */
  address: () => Promise<URL>;
  sees: (thing: Thing) => Promise<void>;
  seesNo: (thing: Thing) => Promise<void>;
  click: (thing: Thing) => Promise<void>;
  fill: (thing: Thing, text: string) => Promise<void>;
  /** Chooses a file of this machine. */
  attach: (thing: Thing, path: string) => Promise<void>;
  press: (key: 'Tab' | 'Enter' | 'Escape') => Promise<void>;
  hasFocus: (thing: Thing) => Promise<boolean>;
  attribute: (thing: Thing, name: string) => Promise<string | null>;
  /** The value of a JavaScript expression in the page. */
  value: <T>(expression: string) => Promise<T>;
  /** Clicks, and waits for the file that it has the browser save. */
  download: (thing: Thing) => Promise<SavedFile>;
  /**
   * What the engine has said against the page: errors, and what its security policy refused. WebKit's driver tells
   * nothing of it, so there it is what the document has seen since it was interactive.
   */
  complaints: () => Promise<string[]>;
}

/** A browser engine that is started once for many visitors. */
export interface Engine {
  visit: (setup: Setup) => Promise<Visit>;
  stop: () => Promise<void>;
}

/** A visitor with a browser that nobody has used before. */
export interface Visit {
  visitor: Visitor;
  /** How their window looks now, as PNG. */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}

/** An expression that leads the site's router to a path. */
export const following = (path: string): string =>
  `(history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate')))`;
