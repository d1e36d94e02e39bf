import { Link } from 'react-router-dom';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { LegalPage } from './legal-page.tsx';

export default function PrivacyPage() {
  return (
    <LegalPage
      title={pageTitles.privacy}
      lead="What we know about you, why we know it, and how you make us forget it."
      updated="28 November 2026"
    >
      <h2>The short version</h2>
      <p>
        Visitors can browse Stoa without an account and without being followed. Creators give us what their
        public page needs. We sell no data, show no advertising and take no part in the payments between you
        and your buyers.
      </p>
      <h2>What we keep</h2>
      <h3>If you have an account</h3>
      <ul>
        <li>Your email address, username and display name, and the time at which you accepted our terms.</li>
        <li>
          What you put on your profile: bio, picture, niches, social links and payment links. All of this is
          public from the first time you save it. Then you also choose how mail of visitors reaches you:
          “Contact Me” shows your email address to everybody, or it is a form, and nobody sees the address.
        </li>
        <li>
          Your offerings: title, description, price, type, cover picture and payment link, which are public,
          and a product link for your own reference, which is not.
        </li>
        <li>
          What an offering of yours delivers: files with their names, sizes and notes, a text and a link. It
          is not public: only you and people who have its delivery link get it. A file that you replace is
          deleted.
        </li>
        <li>
          Your sales, if you add them: the number of each payment, where it was paid, and how often and when
          the buyer’s link was last used. We keep nothing of who the buyer is, and of the link only a
          scrambled form. A sale is deleted with its offering.
        </li>
        <li>
          For 90 days, where your pages have led those who pay, and each change of it, so that you can see it
          and take it back.
        </li>
        <li>
          Whether the links on your public pages work. We open each of them about once a day, as a visitor
          would, and tell you alone when one has failed several times. Its site learns that Stoa asked, and
          nothing of you or your visitors.
        </li>
        <li>
          If one of your pages was reported: what was said of it, what was decided and why, and your appeal.
          Of who reported it we keep a scrambled form of their network for a day. A case that is over, because
          the reports were dismissed or the page is shown again, is deleted after two years at the latest,
          with all that was said in it; one for which a page stays hidden is kept for as long.
        </li>
        <li>
          Your password never reaches our application. Our sign-in service keeps only a salted hash of it,
          from which the password cannot be read.
        </li>
        <li>
          Where you are signed in: since when, from which network address, and with which browser and system,
          such as “Chrome on Windows”. It is deleted when you sign out, after 30 days at the latest.
        </li>
      </ul>
      <h3>If you write to us</h3>
      <p>
        The name, email address, subject and message that you fill in, so that we can answer. If you write to
        a creator through the form on their profile, we store the same together with whom it is for, and send
        it to the creator by email, with your address so that they can answer you. Our copy of either is
        deleted after 30 days; the mail stays with who received it. So that nobody floods us or a creator, we
        count messages by a scrambled form of the network address they come from. It is deleted after about an
        hour, and for a message to a creator after about a day, or once it no longer waits for the creator to
        confirm an address.
      </p>
      <h3>If you only visit</h3>
      <p>
        Technical records that any web server keeps for a short time: the address of the request, its time and
        whether it worked. We use them to keep the site running and safe.
      </p>
      <h3>What we count</h3>
      <p>
        So that creators know whether their page is of use, we count, day by day, how often it and each
        offering are viewed, how often “Access Now”, a support link and a download are followed, and the name
        of the site that a visitor came from. No cookie is set and no network address is kept. To count a
        person once a day, your address and kind of browser are scrambled with a random key that is thrown
        away when the day is over; what they were scrambled into goes a day later, and tells nobody who you
        are. We do not know you again the next day, or at another creator. Programs and the creator’s own
        visits are left out, and so are you if your browser says{' '}
        <strong>Do Not Track or Global Privacy Control</strong>. The sums are kept for 13 months, for that
        creator alone.
      </p>
      <h2>What we do not know</h2>
      <p>
        Payments happen between a buyer and a creator, at the payment provider that the creator chose. We do
        not process them and never see card numbers, bank accounts or what was paid.
      </p>
      <h2>Cookies and storage</h2>
      <p>
        There are no advertising or analytics cookies. Signing in sets cookies of our sign-in service, which
        are needed to keep you signed in. One more cookie keeps your choice of light or dark theme, for these
        pages and for those of the sign-in service. Your browser also remembers whether you have signed in
        here before and, until the tab is closed, the pages seen in it with your place on each, and what you
        typed when a session ended.
      </p>
      <h2>Pictures</h2>
      <p>
        Every picture you upload is re-encoded, and hidden data such as the place where it was taken is
        removed before anybody can see it. The original file is not published.
      </p>
      <h2>How long we keep it</h2>
      <p>
        As long as your account exists. Pictures that you replace are removed from our storage. When you ask
        us to delete your account, your profile, offerings, sales and files are deleted with it. Sealed
        backups, which bring everything back after a disaster, keep a copy for up to about a month.
      </p>
      <h2>Your rights</h2>
      <p>
        You may ask for a copy of your data, have it corrected, have it deleted, or object to how it is used.
        A creator exports and deletes it on the account page: the export is one archive, which lies ready for
        the owner for 24 hours and is then removed. <Link to={paths.contact}>Write to us</Link> and{' '}
        <strong>we answer every privacy request within 30 days</strong>. If you are not content with the
        answer, you may turn to the data protection authority of your country; in South Africa that is the
        Information Regulator.
      </p>
      <h2>Children</h2>
      <p>Stoa is for people of 18 years or older. We do not knowingly keep data about anybody younger.</p>
      <h2>Changes</h2>
      <p>
        When this policy changes we change the date above, and we tell creators by email before a change that
        matters takes effect. The <Link to={paths.terms}>Terms of Service</Link> say the rest.
      </p>
    </LegalPage>
  );
}
