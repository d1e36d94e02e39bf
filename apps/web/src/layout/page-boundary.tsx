import { Component, type ReactNode } from 'react';
import { becomeInteractive } from '../browser/early-input.ts';
import { Button } from '../ui/button.tsx';

/** A page that breaks, or whose code cannot be fetched after a new release, says so instead of going blank. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
    // Its own button, and what stands around it, are heard all the same.
    becomeInteractive();
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div role="alert" className="mx-auto grid max-w-3xl justify-items-center gap-6 px-5 py-24 text-center">
        <h1 className="text-3xl">This page could not be shown.</h1>
        {!navigator.onLine && <p>You are offline.</p>}
        <Button look="secondary" onClick={() => location.reload()}>
          Try again
        </Button>
      </div>
    );
  }
}
