import type { PublicCreator } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { useParams } from 'react-router-dom';
import { useCreator } from '../../api/creator.resources.ts';
import { api } from '../../api/endpoints.ts';
import { isPermanent } from '../../api/http.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { Avatar, faceShape } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { MailIcon } from '../../ui/icons.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { ContactForm } from './contact-form.tsx';

/** Writes to a creator who keeps their address to themselves. */
export default function CreatorContactPage() {
  const { username = '' } = useParams();
  const creator = useCreator(username);
  if (creator.data) return <Loaded creator={creator.data} />;
  if (creator.error) {
    const title = messageFor(errorMessages.publicProfile, creator.error);
    const retry = isPermanent(creator.error) ? undefined : creator.reload;
    return (
      <Page title={title} width="text">
        <ErrorState title={title} titleLevel="h1" reference={referenceOf(creator.error)} onRetry={retry}>
          <Link to={paths.browse} className={buttonClass('quiet')}>
            Browse Creators
          </Link>
        </ErrorState>
      </Page>
    );
  }
  return (
    <Page title={`Contact @${username}`} width="text">
      <LoadingText>Loading profile...</LoadingText>
      <Skeleton className="h-12 w-2/3" />
      <Skeleton className="mt-10 h-96" />
    </Page>
  );
}

function Loaded({ creator }: { creator: PublicCreator }) {
  const { username, email } = creator;
  const name = displayNameOf(creator);
  return (
    <Page title={`Contact ${name}`} width="text">
      <Link
        to={paths.profile(username)}
        className="text-muted hover:text-accent inline-flex min-h-11 items-center gap-3 font-semibold"
      >
        <span aria-hidden="true">
          <Avatar
            picture={creator.profileImage}
            name={name}
            sizes="2.75rem"
            className={`size-11 ${faceShape}`}
          />
        </span>
        <span className="min-w-0 break-words">Back to @{username}</span>
      </Link>
      <h1 className="mt-6 text-5xl break-words">Contact {name}</h1>
      {email === null ? (
        <>
          <p className="text-muted mt-3 text-lg">
            Your message goes to {name} by email, and so does your address, so that they can answer you.
          </p>
          <ContactForm
            key={username}
            action={paths.contactCreator(username)}
            draftKey={`contact.${username}`}
            words={errorMessages.creatorContact}
            send={(message) => api.writeToCreator(username, message)}
            thanks={`Thanks for your message! It goes to ${name}, who answers by email.`}
          />
        </>
      ) : (
        <>
          <p className="text-muted mt-3 text-lg">{name} takes mail at an address of their own.</p>
          <a href={`mailto:${email}`} className={`${buttonClass()} mt-6 max-w-full break-all`}>
            <MailIcon /> {email}
          </a>
        </>
      )}
    </Page>
  );
}
