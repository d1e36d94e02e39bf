import { embedCode } from '@stoa/contracts/embed';
import { useState } from 'react';
import { useMe } from '../../auth/me.queries.ts';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AddressText } from '../../ui/text/address-text.tsx';
import { ShareIcon } from '../../ui/icons/icons.tsx';
import { lazyPart } from '../../browser/lazy-part.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const QrCode = lazyPart(() => import('./qr-code.tsx'), {
  name: 'The QR code',
  waiting: <Skeleton className="h-72" />,
});

/** The creator's public address, and ways to share it. */
export function PublicAddress() {
  const me = useMe();
  if (me.data) return <Address username={me.data.username} isPublic={me.data.isPublic} />;
  if (me.isError) return null;
  // Higher than the address of a public profile and lower than that of a new one, so that the page hardly moves.
  return (
    <div className="border-line border-t px-4 py-3 sm:px-5">
      <Skeleton className="h-32 sm:h-10" />
    </div>
  );
}

function Address({ username, isPublic }: { username: string; isPublic: boolean }) {
  const [open, setOpen] = useState<'qr' | 'embed'>();
  const toggle = (part: 'qr' | 'embed') => () => setOpen(open === part ? undefined : part);
  const path = paths.profile(username);
  const address = location.origin + path;
  const share = () => {
    // Closing the share sheet is a choice, not a failure.
    navigator.share({ title: `@${username} on Stoa`, url: address }).catch(() => undefined);
  };
  return (
    <section
      aria-labelledby="public-address"
      className="border-line flex flex-wrap items-center gap-x-6 gap-y-2 border-t px-4 py-3 sm:px-5"
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="public-address" className="text-muted font-sans text-sm font-medium">
          Your Public Address
        </h2>
        <p className="font-mono text-sm leading-snug [overflow-wrap:anywhere]">
          <AddressText text={location.host + path} />
        </p>
        {!isPublic && (
          <p className="text-muted text-sm leading-snug">
            It is yours for good. Visitors find nothing there until your profile is public.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:gap-1.5 max-sm:[&>button]:px-3">
        <CopyButton text={address} label="Copy" />
        {'share' in navigator && (
          <Button look="secondary" size="small" onClick={share}>
            <ShareIcon /> Share
          </Button>
        )}
        <Button
          look="secondary"
          size="small"
          aria-expanded={open === 'qr'}
          aria-controls="qr-code"
          onClick={toggle('qr')}
        >
          QR Code
        </Button>
        <Button
          look="secondary"
          size="small"
          aria-expanded={open === 'embed'}
          aria-controls="embed-code"
          onClick={toggle('embed')}
        >
          Embed
        </Button>
      </div>
      <div id="qr-code" hidden={open !== 'qr'} className="basis-full">
        {open === 'qr' && <QrCode address={address} filename={`stoa-${username}`} />}
      </div>
      <div id="embed-code" hidden={open !== 'embed'} className="basis-full">
        {open === 'embed' && <EmbedCode username={username} />}
      </div>
    </section>
  );
}

/** The code that embeds the profile in another site, such as a blog or shop. */
function EmbedCode({ username }: { username: string }) {
  const code = embedCode(location.origin, username);
  return (
    <div className="grid gap-3">
      <p className="text-muted text-sm">Paste this into a page of yours to show your profile there.</p>
      <code className="bg-sunk rounded-card p-3 text-sm [overflow-wrap:anywhere]">{code}</code>
      <div>
        <CopyButton text={code} label="Copy Code" what="Code" />
      </div>
    </div>
  );
}
