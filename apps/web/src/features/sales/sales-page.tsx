import { delivers, type Offering, type Sale, type SaleWithKey } from '@stoa/contracts';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PlusIcon } from '../../ui/icons/editor-icons.tsx';
import { SearchField } from '../../ui/fields/filter.tsx';
import { EmptyState, ErrorState, Message } from '../../ui/notice.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { AddSale } from './add-sale.tsx';
import { CloseSale } from './close-sale.tsx';
import { type NewLink, SaleLink } from './sale-link.tsx';
import { saleErrorMessages } from './sale-messages.ts';
import { SaleRow } from './sale-row.tsx';
import { useCloseSale, useReplaceSaleKey, useSales } from './sales.queries.ts';

interface Result {
  kind: 'success' | 'failure';
  text: string;
}

/** The creator's sales, each with a link of its own. */
export default function SalesPage() {
  const offerings = useMyOfferings();
  return (
    <Page title="Sales" room>
      <section
        aria-labelledby="sales"
        className="bg-surface border-line shadow-card rounded-card min-w-0 border p-4 sm:p-8"
      >
        {offerings.data ? (
          <Sales offerings={offerings.data.items} />
        ) : (
          <>
            <Heading />
            {offerings.isError ? (
              <ErrorState
                title={messageFor(creatorErrorMessages.ownOfferings, offerings.error)}
                reference={referenceOf(offerings.error)}
                onRetry={() => void offerings.refetch()}
              />
            ) : (
              <Waiting />
            )}
          </>
        )}
      </section>
      <RoomTabs />
    </Page>
  );
}

function Heading() {
  return (
    <h1 id="sales" tabIndex={-1} className="text-3xl">
      Sales
    </h1>
  );
}

function Waiting() {
  return (
    <div className="mt-4 grid gap-3">
      <LoadingText>Loading your sales...</LoadingText>
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  );
}

function Sales({ offerings }: { offerings: readonly Offering[] }) {
  const [address, setAddress] = useSearchParams();
  const chosen = address.get('offering') ?? '';
  const [adding, setAdding] = useState(chosen !== '');
  const [link, setLink] = useState<NewLink>();
  const [result, setResult] = useState<Result>();
  const sold = offerings.filter(delivers);

  const show = ({ sale, key }: SaleWithKey, done: string) => {
    const offering = offerings.find(({ id }) => id === sale.offeringId);
    if (key !== null && offering) setLink({ offering, key });
    setResult(
      key === null
        ? {
            kind: 'failure',
            text: 'This sale exists already, and its link was shown then. Its row has a button for a new one.',
          }
        : { kind: 'success', text: done },
    );
  };
  const added = (sale: SaleWithKey) => {
    setAdding(false);
    show(sale, 'The sale was added.');
  };

  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Heading />
        {sold.length > 0 && !adding && (
          <Button size="small" onClick={() => setAdding(true)}>
            <PlusIcon /> Add Sale
          </Button>
        )}
      </div>
      <p className="text-muted mb-5 max-w-prose text-sm">
        Give each buyer a link of their own. You can close it alone, after a refund or when it leaks. We store
        nothing about the buyer.
      </p>
      <div role={result?.kind === 'failure' ? 'alert' : 'status'} className="mb-5 empty:absolute">
        {result && <Message kind={result.kind}>{result.text}</Message>}
      </div>
      {adding && sold.length > 0 && (
        <AddSale offerings={sold} chosen={chosen} onAdded={added} onCancel={() => setAdding(false)} />
      )}
      <Search
        key={address.get('search')}
        initial={address.get('search') ?? ''}
        onSearch={(search) => setAddress(search ? { search } : {}, { replace: true, flushSync: true })}
      />
      <SaleList
        search={address.get('search') ?? ''}
        offerings={offerings}
        hasSold={sold.length > 0}
        onLink={(sale) => show(sale, 'The new link was made. The old one no longer works.')}
        onResult={setResult}
      />
      {link && <SaleLink offering={link.offering} saleKey={link.key} onClose={() => setLink(undefined)} />}
    </>
  );
}

function Search({ initial, onSearch }: { initial: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form role="search" onSubmit={submit} className="mb-4 flex items-center gap-3">
      <div className="min-w-0 grow sm:max-w-sm">
        <SearchField
          name="search"
          label="Search by payment ID"
          placeholder="Payment ID"
          value={typed}
          onChange={(text) => {
            setTyped(text);
            // The button that empties the field shows all sales again.
            if (text === '' && initial !== '') onSearch('');
          }}
        />
      </div>
      <Button type="submit" look="secondary" size="small">
        Search
      </Button>
    </form>
  );
}

interface SaleListProps {
  search: string;
  offerings: readonly Offering[];
  hasSold: boolean;
  onLink: (replaced: SaleWithKey) => void;
  onResult: (result: Result | undefined) => void;
}

function SaleList({ search, offerings, hasSold, onLink, onResult }: SaleListProps) {
  const sales = useSales(search);
  const [toClose, setToClose] = useState<Sale>();
  const [toRenew, setToRenew] = useState<Sale>();
  const close = useCloseSale();
  const replace = useReplaceSaleKey();
  const titles = new Map(offerings.map(({ id, title }) => [id, title]));

  const closeNow = async (sale: Sale, state: 'refunded' | 'disputed' | 'revoked') => {
    onResult(undefined);
    try {
      await close.mutateAsync({ id: sale.id, state });
      onResult({ kind: 'success', text: 'The sale was closed. Its link no longer works.' });
    } catch (error) {
      onResult({ kind: 'failure', text: messageFor(saleErrorMessages.close, error) });
    }
    setToClose(undefined);
  };
  const renewNow = async (sale: Sale) => {
    onResult(undefined);
    try {
      const replaced = await replace.mutateAsync(sale.id);
      setToRenew(undefined);
      onLink(replaced);
    } catch (error) {
      setToRenew(undefined);
      onResult({ kind: 'failure', text: messageFor(saleErrorMessages.replaceKey, error) });
    }
  };

  if (!sales.data)
    return sales.isError ? (
      <ErrorState
        title={messageFor(saleErrorMessages.list, sales.error)}
        reference={referenceOf(sales.error)}
        onRetry={() => void sales.refetch()}
      />
    ) : (
      <Waiting />
    );
  const items = sales.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <NoSales search={search} hasSold={hasSold} />;
  return (
    <>
      <h2 className="sr-only">{search ? 'Sales found' : 'Latest sales'}</h2>
      <ul aria-busy={sales.isPlaceholderData}>
        {items.map((sale) => (
          <SaleRow
            key={sale.id}
            sale={sale}
            title={titles.get(sale.offeringId) ?? 'Deleted offering'}
            onRenew={() => setToRenew(sale)}
            onClose={() => setToClose(sale)}
          />
        ))}
      </ul>
      {sales.hasNextPage && !sales.isPlaceholderData && (
        <div className="mt-4 flex justify-center">
          {/* Not disabled, since that would lose the focus. */}
          <Button
            look="secondary"
            aria-disabled={sales.isFetchingNextPage}
            onClick={() => {
              if (!sales.isFetchingNextPage) void sales.fetchNextPage();
            }}
          >
            {sales.isFetchingNextPage ? 'Loading more sales...' : 'Load more sales'}
          </Button>
        </div>
      )}
      <div role="alert" className="mt-4 empty:absolute">
        {sales.isError && <Message kind="failure">{messageFor(saleErrorMessages.list, sales.error)}</Message>}
      </div>
      {toClose && (
        <CloseSale
          isDisputed={toClose.state === 'disputed'}
          busy={close.isPending}
          onConfirm={(reason) => void closeNow(toClose, reason)}
          onCancel={() => setToClose(undefined)}
        />
      )}
      {toRenew && (
        <ConfirmDialog
          open
          title={toRenew.state === 'disputed' ? 'Open this sale again?' : 'Make a new link?'}
          text={
            toRenew.state === 'disputed'
              ? 'Do this after you have won the dispute. The buyer needs the new link; uses and days start again.'
              : 'The old link stops working at once. Uses and days start again.'
          }
          confirmLabel={toRenew.state === 'disputed' ? 'Open Again' : 'Make New Link'}
          busyLabel="Making the link..."
          busy={replace.isPending}
          onConfirm={() => void renewNow(toRenew)}
          onCancel={() => setToRenew(undefined)}
        />
      )}
    </>
  );
}

function NoSales({ search, hasSold }: { search: string; hasSold: boolean }) {
  if (search) return <EmptyState title="No sale has this payment ID." />;
  if (hasSold) return <EmptyState title="No sales yet. Add one when a buyer has paid." />;
  return (
    <EmptyState title="None of your offerings delivers anything yet. Add a file, a link or a text for buyers to one.">
      <Link to={paths.dashboard} className={buttonClass('secondary', 'small')}>
        Back to Dashboard
      </Link>
    </EmptyState>
  );
}
