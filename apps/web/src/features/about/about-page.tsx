import { Link } from 'react-router-dom';
import { Page } from '../../layout/page.tsx';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Prose } from '../../ui/text/prose.tsx';

export default function AboutPage() {
  return (
    <Page title={pageTitles.about} width="text">
      <p className="text-accent mb-3 text-sm font-semibold tracking-wide uppercase">About Us</p>
      <h1 className="text-5xl">A roof over the work, and nothing in the till.</h1>
      <Prose>
        <p className="text-lg">
          Twenty-three centuries ago a stoa was a long covered walk at the edge of the market. Its back was a
          wall, its front was columns, and it belonged to everybody. Painters hung their panels there.
          Teachers met their students. Merchants set out what they had made. The city gave the roof and asked
          for nothing.
        </p>
        <h2>Why we started</h2>
        <p>
          We are people who make things, and friends of people who make things: a poet who sells chapbooks, a
          breathwork teacher with a waiting list and no website, a painter who lost a fifth of every print to
          the shop that hosted it. All of them had the same two choices. They could rent a corner in somebody
          else’s mall, pay a share of every sale and follow its rules about what could be seen. Or they could
          build a shop of their own, alone, and spend their evenings on plugins in place of poems.
        </p>
        <p>
          Neither is good enough. A page that says who you are, what you offer and where to pay you is not a
          hard thing. It should not cost a tenth of your income.
        </p>
        <h2>What we do differently</h2>
        <ul>
          <li>
            <strong>No fee and no commission.</strong> Signing up is free, listing is free, and we never stand
            between you and the person who pays you. Your payment link is your own.
          </li>
          <li>
            <strong>No bidding for attention.</strong> Creators are found by name, by niche and by what they
            say about themselves. Nobody can buy a better place.
          </li>
          <li>
            <strong>Little to know about you.</strong> We keep what your profile needs and no more, and you
            can take it with you.
          </li>
          <li>
            <strong>A quiet page.</strong> No counters, no timers, no pop-ups. Your work is the loudest thing
            on it.
          </li>
        </ul>
        <h2>Our mission</h2>
        <p>
          To give every independent writer, artist, healer, coach, musician and poet a dignified place to be
          found, and to leave all of what they earn with them. We measure ourselves by one number: the share
          of a creator’s income that goes to us. It is zero, and it stays there.
        </p>
        <h2>Who it is for</h2>
        <p>
          For anyone of 18 years or older who makes something worth paying for. You do not need a following.
          You need a name, a few honest sentences and a way to be paid. If you are just beginning, you are
          very welcome: most of the people who once stood in a stoa were just beginning too.
        </p>
      </Prose>
      <div className="bg-sunk border-line rounded-card mt-12 border p-8 text-center">
        <h2 className="text-3xl">There is room under the roof.</h2>
        <p className="text-muted mt-3">Make your page today. It is free, and so is everything after.</p>
        <Link to={paths.signup} className={`${buttonClass()} mt-6`}>
          Get Early Access
        </Link>
      </div>
    </Page>
  );
}
