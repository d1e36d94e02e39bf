import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { LegalPage } from './legal-page.tsx';

export default function HelpPage() {
  return (
    <LegalPage
      title={pageTitles.help}
      lead="Short answers to what people ask most, and a way to ask the rest."
    >
      <h2>For creators</h2>
      <Question title="What does Stoa cost?">
        Nothing. There is no fee and no commission. What your buyers pay goes to you.
      </Question>
      <Question title="How am I paid?">
        Each offering carries your own payment link, from whichever provider you use. Visitors who choose
        “Access Now” are sent there. Stoa does not process payments and never holds your money.
      </Question>
      <Question title="How do I set up my page?">
        <Link to={paths.signup}>Sign up</Link>, fill in your profile and choose your niches. Then add an
        offering from your <Link to={paths.dashboard}>dashboard</Link>: a title, a price, a type, a cover and
        your payment link.
      </Question>
      <Question title="Which pictures can I use?">
        JPEG, PNG, WebP or AVIF. A profile picture may have up to 2 MB, the cover of an offering up to 5 MB.
        One that is larger, or of another shape, can be cut and made smaller as you choose it.
      </Question>
      <Question title="How do my buyers get what they paid for?">
        Add files to the offering, of any type and up to 200 MB each, or a link or a text for buyers, and save
        it. The page where you edit the offering then shows a delivery link: paste it into your payment
        provider’s thank-you redirect. Whoever has the link gets all of it without an account. If it gets
        around, rotate it there; old links stop working at once. You can replace a file by a new version with
        a short note: buyers find it behind the link that they have.
      </Question>
      <Question title="How do I announce a workshop?">
        Choose the type Workshop, and say when it starts and ends, in which time zone, and how many seats are
        left. Visitors elsewhere also see it in their own time. Your own order and your pin stand; where you
        have made no order, the next workshop comes first. Once it has ended, or no seat is left, nobody is
        sent to your payment link any more. Stoa takes no bookings: lower the number of seats as they are
        taken.
      </Question>
      <Question title="Can I change my username?">
        Not by yourself: it is the address of your page, and people may have kept it. Write to us if there is
        a good reason.
      </Question>
      <Question title="Who sees the product link of an offering?">
        Only you. It is a note for your own reference and is not shown to visitors.
      </Question>
      <Question title="I forgot my password.">
        Ask for a reset link on the <Link to={paths.forgotPassword}>password page</Link>, and look into your
        spam folder if it does not arrive.
      </Question>
      <h2>For visitors</h2>
      <Question title="Do I need an account?">
        No. Browse, search and visit every profile as you like. Accounts are for creators, of 18 years or
        older.
      </Question>
      <Question title="My download link does not work.">
        It may be used up or too old, or its creator has replaced it. Write to them, with “Contact Me” on
        their profile, and ask for a new one.
      </Question>
      <Question title="Something I paid for did not arrive.">
        You bought it from the creator, so please write to them first, with “Contact Me” on their profile. If
        you believe that you were deceived, tell us too.
      </Question>
      <h2>Your data</h2>
      <p>
        You can ask what we keep about you, and have it corrected or deleted. We answer privacy requests
        within 30 days. The <Link to={paths.privacy}>Privacy Policy</Link> tells more.
      </p>
      <h2>Feedback</h2>
      <p>Stoa gets better when people tell us what is missing. We read everything.</p>
      <p>
        <Link to={paths.contact} className={`${buttonClass()} text-on-accent!`}>
          Write to Us
        </Link>
      </p>
    </LegalPage>
  );
}

function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3>{title}</h3>
      <p>{children}</p>
    </>
  );
}
