import type { PublicCreator } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { mailtoLink } from '@stoa/contracts/mailto';
import { Link, useParams } from 'react-router-dom';
import { useCreator } from '../../api/public/creator.queries.ts';
import { contactApi } from '../../api/public/contact-endpoints.ts';
import { creatorContactErrorMessages } from '../../api/public/contact-messages.ts';
import { isPermanent } from '../../api/http.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Avatar, faceShape } from '../../ui/pictures/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { MailIcon } from '../../ui/icons/icons.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { ContactForm } from './contact-form.tsx';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

/** The contact form of a creator who does not show an email address. */
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
  const words = <PersonalWords text={name} also={creator.bio} />;
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
      <h1 className="mt-6 text-5xl break-words">Contact {words}</h1>
      {email === null ? (
        <>
          <p className="text-muted mt-3 text-lg">
            Your message goes to {words} by email, and so does your address, so that they can answer you.
          </p>
          <ContactForm
            key={username}
            action={paths.contactCreator(username)}
            draftKey={`contact.${username}`}
            words={creatorContactErrorMessages}
            send={(message) => contactApi.writeToCreator(username, message)}
            thanks={<>Thanks for your message! It goes to {words}, who answers by email.</>}
          />
        </>
      ) : (
        <>
          <p className="text-muted mt-3 text-lg">{words} takes mail at an address of their own.</p>
          <a href={mailtoLink(email)} className={`${buttonClass()} mt-6 max-w-full break-all`}>
            <MailIcon /> {email}
          </a>
        </>
      )}
    </Page>
  );
}
