import type { ReactNode } from 'react';
import { Page } from '../../layout/page.tsx';
import { Prose } from '../../ui/text/prose.tsx';

interface LegalPageProps {
  title: string;
  lead: string;
  /** The day of the last change, as shown. */
  updated?: string;
  children: ReactNode;
}

export function LegalPage({ title, lead, updated, children }: LegalPageProps) {
  return (
    <Page title={title} width="text">
      <h1 className="text-5xl">{title}</h1>
      <p className="text-muted mt-4 text-lg">{lead}</p>
      {updated && <p className="text-muted mt-2 text-sm">Last updated: {updated}</p>}
      <Prose>{children}</Prose>
    </Page>
  );
}
