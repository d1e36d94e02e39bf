import { Link } from 'react-router-dom';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { LegalPage } from './legal-page.tsx';

export default function TermsPage() {
  return (
    <LegalPage
      title={pageTitles.terms}
      lead="The agreement between you and Stoa, in sentences meant to be read."
      updated="21 November 2026"
    >
      <h2>1. What Stoa is</h2>
      <p>
        Stoa is a place where creators publish a profile and list what they offer, and where visitors find
        them. By making an account or using the site you agree to these terms and to our{' '}
        <Link to={paths.guidelines}>Community Guidelines</Link>.
      </p>
      <h2>2. Who may use it</h2>
      <p>
        You must be <strong>18 years or older</strong> to make an account. The details you give must be true,
        and your account is yours alone: keep its password to yourself, and tell us if somebody else has used
        it.
      </p>
      <h2>3. What it costs</h2>
      <p>
        Nothing. Signing up, publishing a profile and listing offerings are free.{' '}
        <strong>We charge no fee and take no commission</strong> on anything you sell.
      </p>
      <h2>4. Payments</h2>
      <p>
        Stoa does not process payments. Each offering carries a payment link supplied by its creator, and
        whoever follows it deals with that creator and their payment provider directly. Price, delivery,
        refunds, taxes and any dispute are between the buyer and the creator. We are not a party to the sale.
      </p>
      <h2>5. What you publish</h2>
      <ul>
        <li>Your work stays yours. We claim no ownership of it.</li>
        <li>
          You allow us to store, resize and show what you publish, as far as running your page requires it and
          for as long as you leave it there.
        </li>
        <li>
          You publish only what you have the right to publish, and you describe your offerings honestly.
        </li>
        <li>Payment and social links must lead where they say they lead.</li>
      </ul>
      <h2>6. What is not allowed</h2>
      <p>
        Anything unlawful, deceptive or harmful, and anything that our{' '}
        <Link to={paths.guidelines}>Community Guidelines</Link> rule out. You may not disturb the service, get
        around its limits, collect other people’s data from it or pretend to be somebody else.
      </p>
      <h2>7. Ending it</h2>
      <p>
        You may leave at any time, without giving a reason. We may remove content or close an account that
        breaks these terms. Where we can, we tell you why and hear you first.
      </p>
      <h2>8. The service as it is</h2>
      <p>
        We work to keep Stoa available and safe, but it is provided as it is, without a promise that it will
        never fail. We do not check the offerings of creators and cannot vouch for them.
      </p>
      <h2>9. Liability</h2>
      <p>
        As far as the law allows, we are not liable for indirect or consequential loss, nor for dealings
        between creators and buyers. <strong>Our total liability to you is limited to ZAR 100.</strong>{' '}
        Nothing in these terms limits a liability that the law does not let us limit.
      </p>
      <h2>10. Law</h2>
      <p>These terms are governed by the laws of the Republic of South Africa.</p>
      <h2>11. Changes</h2>
      <p>
        When these terms change we change the date above, and we tell creators by email before a change that
        matters takes effect. If you do not agree, you may close your account before that day.
      </p>
      <h2>12. Reaching us</h2>
      <p>
        Questions about these terms are welcome through the <Link to={paths.contact}>contact form</Link>. How
        we treat your data is told in the <Link to={paths.privacy}>Privacy Policy</Link>.
      </p>
    </LegalPage>
  );
}
