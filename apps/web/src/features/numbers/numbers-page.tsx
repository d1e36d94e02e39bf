import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import NumbersPanel from './numbers-panel.tsx';

/** The creator's numbers, on a page of their own. */
export default function NumbersPage() {
  return (
    <Page title="Numbers" room>
      <NumbersPanel />
      <RoomTabs />
    </Page>
  );
}
