import { Link } from 'react-router-dom';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { LegalPage } from './legal-page.tsx';

export default function GuidelinesPage() {
  return (
    <LegalPage
      title={pageTitles.guidelines}
      lead="A shared roof needs a few shared manners. These are ours."
      updated="21 November 2026"
    >
      <h2>Be yourself</h2>
      <ul>
        <li>Use a name and a picture that are yours to use. Do not pretend to be somebody else.</li>
        <li>
          You are 18 or older, and so is everybody who is offered something here that is meant for adults.
        </li>
      </ul>
      <h2>Be honest about your work</h2>
      <ul>
        <li>Offer only what you made or may sell. Respect other people’s copyright and trade marks.</li>
        <li>Say plainly what a buyer gets, what it costs and how they get it. Then deliver it.</li>
        <li>Payment links lead to your own account at a payment provider, and nowhere else.</li>
        <li>
          Healers and coaches: do not promise cures, and do not stand in for a doctor, a therapist or a lawyer
          unless you are one. Say what you are trained in.
        </li>
      </ul>
      <h2>Be kind</h2>
      <ul>
        <li>No hatred, threats or harassment of any person or group.</li>
        <li>No sexual content involving minors, ever. We report it.</li>
        <li>No private information about other people without their consent.</li>
        <li>No glorifying of violence or of harming oneself.</li>
      </ul>
      <h2>Keep the place safe</h2>
      <ul>
        <li>No malware, no phishing, no pyramid schemes, no fake reviews, no spam.</li>
        <li>No weapons, drugs, stolen goods or anything else that may not lawfully be sold.</li>
        <li>No scripts that collect other people’s profiles or disturb the service.</li>
      </ul>
      <h2>When something is wrong</h2>
      <p>
        Follow “Report this page” at the foot of a profile or an offering, or tell us through the{' '}
        <Link to={paths.contact}>contact form</Link>, with the address of the page. A person looks at every
        report. Depending on what we find we ask for a change, remove the content or close the account, and
        where we can we say why. If you think that we were wrong about you, write to us and somebody else will
        look again.
      </p>
      <p>
        These guidelines are part of our <Link to={paths.terms}>Terms of Service</Link>.
      </p>
    </LegalPage>
  );
}
