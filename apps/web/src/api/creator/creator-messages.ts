import { limits } from '@stoa/contracts/limits';
import type { Words } from '../messages.ts';

const changedMeanwhile =
  'This was changed in another tab or on another device since you opened it. What you typed is kept.';
const ended = 'Your session has ended. Log in again to save: what you typed is kept.';

const loginNotFresh = 'Log in again to change where payments go: what you typed is kept.';

const noRoom = `You have ${limits.offeringsPerCreator} offerings, and there is no room for more. Please delete one on your dashboard, then try again.`;
const listChanged = 'Your offerings were changed in another tab.';

/** Error messages of the screens behind the log-in. Visitors' pages do not load them. */
export const creatorErrorMessages = {
  ownProfile: { otherwise: 'Failed to load your profile.' },
  proofMail: {
    rate_limited: 'We cannot mail you another link yet. You can ask for one {when}.',
    otherwise: 'Failed to send the mail. Please try again.',
  },
  profileSave: {
    unauthenticated: ended,
    precondition_failed: changedMeanwhile,
    fresh_login_required: loginNotFresh,
    otherwise: 'Failed to update profile.',
  },
  displayNameSave: {
    unauthenticated: ended,
    precondition_failed: changedMeanwhile,
    otherwise: 'Failed to change your display name. Please try again.',
  },
  ownOfferings: { otherwise: 'Failed to load your offerings.' },
  numbers: { otherwise: 'Failed to load your numbers.' },
  numbersTable: {
    unauthenticated: 'Your session has ended. Log in again, then download the table.',
    otherwise: 'The table could not be downloaded. Please try again.',
  },
  offeringLoad: {
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    invalid_input: 'Offering not found.',
    otherwise: 'Failed to load the offering.',
  },
  offeringCreate: {
    unauthenticated: 'You must be logged in to create an offering.',
    limit_reached: noRoom,
    fresh_login_required: loginNotFresh,
    otherwise: 'Failed to create offering. Please try again.',
  },
  offeringUpdate: {
    unauthenticated: ended,
    precondition_failed: changedMeanwhile,
    fresh_login_required: loginNotFresh,
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    otherwise: 'Failed to update offering.',
  },
  // The messages from here on appear in toasts: 60 characters at most.
  offeringArchive: {
    unauthenticated: 'Your session has ended. Log in again, then archive it.',
    precondition_failed: 'It was changed in another tab. Please try again.',
    not_found: 'Offering not found.',
    otherwise: 'Failed to archive the offering. Please try again.',
  },
  offeringDelete: {
    unauthenticated: 'Your session has ended. Log in again, then delete it.',
    otherwise: 'Failed to delete the offering. Please try again.',
  },
  offeringOrder: {
    unauthenticated: 'Your session has ended. Log in again, then change the order.',
    precondition_failed: listChanged,
    conflict: listChanged,
    otherwise: 'Failed to save the order. Please try again.',
  },
  offeringDuplicate: {
    unauthenticated: 'Your session has ended. Log in again, then duplicate it.',
    limit_reached: `You have ${limits.offeringsPerCreator} offerings. Delete one, then try again.`,
    not_found: 'Offering not found.',
    otherwise: 'Failed to duplicate the offering. Please try again.',
  },
  upload: {
    unauthenticated: 'You must be logged in to upload a picture.',
    rate_limited:
      'You have uploaded several pictures that are not saved yet. Please try again in a few minutes.',
    otherwise: 'The picture could not be uploaded. Please try again.',
  },
  fileUpload: {
    unauthenticated: 'You must be logged in to upload a file.',
    rate_limited: 'You have uploaded several files that no offering uses. Please try again in a while.',
    otherwise: 'The file could not be uploaded. Please try again.',
  },
  secondFactors: { otherwise: 'Failed to load your second steps.' },
  sessions: { otherwise: 'Failed to load your sessions.' },
  linkChanges: { otherwise: 'Failed to load the changes of your payment links.' },
  endSession: {
    unauthenticated: 'Your session has ended. Log in again, then sign out the others.',
    otherwise: 'The sign-out failed. Please try again.',
  },
  deleteAccount: {
    unauthenticated: 'Your session has ended. Log in again, then delete your account.',
    forbidden: 'Your log-in is no longer fresh. Log in again, then delete your account.',
    otherwise: 'Your account could not be deleted. Please try again.',
  },
  exportAccount: {
    unauthenticated: 'Your session has ended. Log in again, then export your data.',
    forbidden: 'Your log-in is no longer fresh. Log in again, then export your data.',
    conflict: 'Your export is being made already. We write to you when it is ready.',
    rate_limited: 'There have been enough exports for a day. Please try again tomorrow.',
    otherwise: 'Your data could not be exported. Please try again.',
  },
  deliveryKey: {
    unauthenticated: 'Your session has ended. Log in again, then replace the link.',
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    otherwise: 'The link could not be replaced. Please try again.',
  },
} satisfies Record<string, Words>;
