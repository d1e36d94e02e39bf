import type { Creator } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { completeSocialLink } from '@stoa/contracts/typed-links';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { sessionApi } from '../../api/account/session-endpoints.ts';
import { storeMe } from '../../auth/me.queries.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import { EditConflict, useEditConflict } from '../../forms/edit-conflict.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { FreshLogin, useFreshLogin } from '../../forms/fresh-login.tsx';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { LinkField } from '../../forms/link-field.tsx';
import { PictureField } from '../../forms/pictures/picture-field.tsx';
import { aboveSaveBar, SaveBar } from '../../forms/save-bar.tsx';
import { sendingOf, UploadWait } from '../../forms/uploads/upload-wait.tsx';
import { useForm } from '../../forms/use-form.ts';
import { usePicture } from '../../forms/pictures/use-picture.ts';
import { useRedirectAfterSave } from '../../forms/use-redirect-after-save.ts';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/fields/text-field.tsx';
import { ContactChoice } from './contact-choice.tsx';
import { LayoutChoice } from './layout-choice.tsx';
import { LookPanel, OpenLookPanel } from './look-panel.tsx';
import { LookPreview } from './look-preview.tsx';
import { NicheChoice } from './niche-choice.tsx';
import { PaletteChoice } from './palette-choice.tsx';
import { OwnLinkRows } from './own-link-rows.tsx';
import { PaygateRows } from './paygate-rows.tsx';
import {
  checkProfile,
  formOf,
  errorsByField,
  isSavedIn,
  type ProfileValues,
  valuesOf,
} from './profile-form.ts';

export function ProfileEditor({ creator }: { creator: Creator }) {
  const { saved, markSaved } = useRedirectAfterSave(paths.dashboard);
  const [initial] = useState(() => valuesOf(creator));
  const conflict = useEditConflict(() => sessionApi.me(new AbortController().signal), isSavedIn);
  const freshLogin = useFreshLogin();
  const form = useForm<ProfileValues>({
    initial,
    words: creatorErrorMessages.profileSave,
    // Another user may log in next in this tab.
    draftKey: `profile.${creator.uid}`,
    validate: checkProfile,
    place: errorsByField,
    waitFor: async () => {
      const settled = await Promise.all([picture.settled(), header.settled()]);
      return settled.every(Boolean);
    },
    submit: async (values) => {
      const send = (version: number) => creatorApi.saveProfile(formOf(values), version);
      await storeMe(await freshLogin.noticed(conflict.save(initial, values, send)));
      markSaved({ savedProfile: true });
    },
  });
  const picture = usePicture({
    purpose: 'profile-picture',
    tooLarge: 'Profile picture must be smaller than 2MB.',
    onChange: (profileImage) => form.change({ profileImage, profileImageId: profileImage?.id ?? null }),
  });
  const header = usePicture({
    purpose: 'profile-header',
    tooLarge: 'Header picture must be smaller than 5MB.',
    onChange: (headerImage) => form.change({ headerImage, headerImageId: headerImage?.id ?? null }),
  });
  const sending = sendingOf([picture.state, header.state]);
  const pending = picture.pending ?? header.pending;
  const changes = useMemo(
    () => [form.values, picture.pending, header.pending],
    [form.values, picture.pending, header.pending],
  );
  const locked = form.busy || form.done;
  const unsaved = (form.dirty || pending !== undefined) && !form.done;
  const question = form.failure && conflict.stored && (
    <EditConflict
      message={form.failure}
      lookAt={paths.editProfile}
      stored={conflict.stored}
      onTakeOver={(stored) => form.reset(valuesOf(stored))}
      onOverwrite={({ version }) => form.sendWith({ version })}
    />
  );
  const field = (name: 'displayName' | 'bio') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });

  const socialField = (name: 'youtube' | 'tiktok' | 'instagram') => ({
    name,
    placeholder: '@name or https://',
    value: form.values[name],
    error: form.errors[name],
    onType: (link: string) => form.change({ [name]: link }),
    complete: (typed: string) => completeSocialLink(name, typed),
  });

  return (
    <div className="mt-8 lg:grid lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-12">
      <form {...form.formProps} className={`grid gap-8 ${aboveSaveBar}`}>
        <RestoredDraftNotice shown={form.restored} />
        {/* Outside of the disabled fieldset: a slow upload can be cancelled while the form waits for it. */}
        <PictureField
          label="Profile Picture"
          hint="JPEG, PNG, WebP or AVIF, under 2MB. Drop it here or choose a file."
          error={form.errors.profileImageId}
          picture={form.values.profileImage}
          upload={picture}
          shape="square"
          removeLabel="Remove picture"
          disabled={locked}
        />
        <PictureField
          label="Header Picture"
          hint="A wide one stands above your profile: its middle is shown, three times as wide as high. JPEG, PNG, WebP or AVIF, under 5MB."
          error={form.errors.headerImageId}
          picture={form.values.headerImage}
          upload={header}
          shape="banner"
          removeLabel="Remove header picture"
          disabled={locked}
        />
        <fieldset disabled={locked} className="contents">
          <TextField label="Display Name" required autoComplete="name" {...field('displayName')} />
          <TextArea
            label="Bio"
            {...field('bio')}
            hint={
              <>
                <CharacterCount text={form.values.bio} max={limits.bioLength} />
                {`. The first ${limits.bioPreviewLength} are shown on your card.`}
              </>
            }
          />
          <NicheChoice
            chosen={form.values.niches}
            error={form.errors.niches}
            onChange={(niches) => form.change({ niches })}
          />
          <ContactChoice
            chosen={form.values.contactBy}
            email={creator.email}
            error={form.errors.contactBy}
            onChange={(contactBy) => form.change({ contactBy })}
          />
          <PaletteChoice
            chosen={form.values.palette}
            error={form.errors.palette}
            onChange={(palette) => form.change({ palette })}
          />
          <LayoutChoice
            chosen={form.values.layout}
            error={form.errors.layout}
            onChange={(layout) => form.change({ layout })}
          />
          <fieldset className="grid gap-5">
            <legend className="mb-4 font-serif text-2xl font-semibold">Social Links</legend>
            <LinkField label="YouTube" {...socialField('youtube')} />
            <LinkField label="TikTok" {...socialField('tiktok')} />
            <LinkField label="Instagram" {...socialField('instagram')} />
          </fieldset>
          <OwnLinkRows
            rows={form.values.links}
            errors={form.errors}
            onChange={(links, touched) => form.change({ links }, touched)}
          />
          <PaygateRows
            rows={form.values.paygates}
            errors={form.errors}
            onChange={(paygates, touched) => form.change({ paygates }, touched)}
          />
        </fieldset>
        <FreshLogin {...freshLogin} />
        <SaveBar
          status={
            <FormStatus
              errors={form.errors}
              failure={question ? undefined : form.failure}
              success={saved ? 'Profile updated successfully!' : undefined}
            />
          }
          question={question}
          wait={
            form.waiting && <UploadWait sending={sending} then="saving" onKeepEditing={form.keepEditing} />
          }
          unsaved={unsaved}
          locked={locked}
          onDiscard={() => {
            picture.cancel();
            header.cancel();
            form.discard();
          }}
          leave={
            <Link to={paths.dashboard} className={`${buttonClass('quiet')} max-sm:px-3`}>
              Cancel
            </Link>
          }
        >
          <Button type="submit" disabled={locked}>
            {form.busy ? 'Saving...' : 'Save Profile'}
          </Button>
          <OpenLookPanel />
        </SaveBar>
        <LeaveGuard active={unsaved} changes={changes} />
      </form>
      <LookPanel>
        <LookPreview
          palette={form.values.palette}
          layout={form.values.layout}
          name={form.values.displayName || `@${creator.username}`}
          picture={form.values.profileImage}
          header={form.values.headerImage}
        />
      </LookPanel>
    </div>
  );
}
