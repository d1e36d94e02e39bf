import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import NumbersPanel from './numbers-panel.tsx';

/** The creator's numbers, on a page of their own. */
export default function NumbersPage() {
  const offerings = useMyOfferings();
  return (
    <Page title="Numbers" room>
      <NumbersPanel offerings={offerings.data?.items ?? []} />
      <RoomTabs />
    </Page>
  );
}
