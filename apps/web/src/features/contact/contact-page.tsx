import { contactApi } from '../../api/public/contact-endpoints.ts';
import { contactErrorMessages } from '../../api/public/contact-messages.ts';
import { Page } from '../../layout/page.tsx';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { ContactForm } from './contact-form.tsx';

export default function ContactPage() {
  return (
    <Page title={pageTitles.contact} width="text">
      <h1 className="text-5xl">Contact us</h1>
      <p className="text-muted mt-3 text-lg">
        A question, an idea, something that is broken: write to us. People read every message, and people
        answer.
      </p>
      <ContactForm
        action={paths.contact}
        draftKey="contact"
        words={contactErrorMessages}
        send={contactApi.sendMessage}
        thanks="Thanks for your message! We'll be in touch soon."
      />
    </Page>
  );
}
