import { Component, type ReactNode } from 'react';
import { ErrorState } from '../ui/notice.tsx';

/** A page that breaks, or whose code cannot be fetched after a new release, says so instead of going blank. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="mx-auto max-w-3xl px-5 py-16">
        <ErrorState title="This page could not be shown." titleLevel="h1" onRetry={() => location.reload()} />
      </div>
    );
  }
}
