import { type Creator, ProfileForm } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { useState } from 'react';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { sessionApi } from '../../api/account/session-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import { storeMe } from '../../auth/me.queries.ts';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { FormStatus } from '../../forms/form-status.tsx';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { validateWith } from '../../forms/validate-with.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { AccountRow } from './account-row.tsx';

const Values = ProfileForm.pick({ displayName: true });

/**
 * The creator's display name, a field of their profile. The sign-in server has the name given at sign-up,
 * which is copied once when the profile is created.
 */
export function DisplayName({ creator }: { creator: Creator }) {
  // The name that the edit started from. Another tab may have saved another one since.
  const [opened, setOpened] = useState(creator.displayName);
  const [saved, setSaved] = useState(false);
  const form = useForm({
    initial: { displayName: creator.displayName },
    words: creatorErrorMessages.displayNameSave,
    draftKey: `account.name.${creator.uid}`,
    validate: (values) => validateWith(Values, values),
    place: errorsInView,
    submit: async ({ displayName }) => {
      const stored = await sessionApi.me(new AbortController().signal);
      if (![opened, Values.parse({ displayName }).displayName].includes(stored.displayName)) {
        setOpened(stored.displayName);
        throw new ApiError('precondition_failed', 'The name was changed in another tab.');
      }
      await storeMe(await creatorApi.saveProfile(renamed(stored, displayName), stored.version));
    },
    goOn: () => {
      const { displayName } = Values.parse(form.values);
      setOpened(displayName);
      setSaved(true);
      form.reset({ displayName });
    },
  });
  const { displayName } = form.values;

  return (
    <AccountRow
      id="display-name"
      title="What You Are Called"
      value={form.dirty ? `${displayName} (not saved)` : opened}
      // A kept draft is shown, and so are errors of a save that ended after the row was closed.
      opensFor={form.failure ?? form.errors.displayName ?? (form.dirty && 'unsaved')}
    >
      <form {...form.formProps} className="grid gap-4">
        <fieldset disabled={form.busy} className="contents">
          <TextField
            label="Display Name"
            name="displayName"
            required
            autoComplete="name"
            hint={`It stands on your profile and in mail from us, with at most ${limits.displayNameLength} characters. Your username @${creator.username} stays as it is.`}
            value={displayName}
            error={form.errors.displayName}
            onChange={({ target }) => {
              setSaved(false);
              form.change({ displayName: target.value });
            }}
          />
        </fieldset>
        <FormStatus
          errors={form.errors}
          failure={form.failure}
          success={saved ? 'Your display name has been changed.' : undefined}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="secondary" size="small" disabled={form.busy}>
            {form.busy ? 'Saving...' : 'Save Name'}
          </Button>
        </div>
        <LeaveGuard active={form.dirty} changes={form.values} />
      </form>
    </AccountRow>
  );
}

/** The stored profile with another name. The server keeps omitted fields. */
function renamed({ bio, paygates, socialLinks, niches }: Creator, displayName: string): ProfileForm {
  return { displayName, bio, paygates, socialLinks, niches };
}

/** A stored profile may break a rule that was made stricter since. */
function errorsInView(_: unknown, { displayName, ...others }: FieldErrors): FieldErrors {
  if (displayName) return { displayName };
  return Object.keys(others).length > 0
    ? {
        displayName:
          'Something else on your profile has to be changed first. Open Edit Profile on the dashboard.',
      }
    : {};
}
