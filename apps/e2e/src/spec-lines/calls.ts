/** Chapter 7: the calls that the product makes, as far as a browser sees them or their effect. */
export const calls = {
  '7.auth.sign-in': 'Sign in with email and password.',
  '7.auth.create': 'Create an account with email and password.',
  '7.auth.reset': 'Send a password-reset email to an address.',
  '7.auth.sign-out': 'Sign out.',
  '7.auth.listener': 'Auth-state listener.',
  '7.read.offering': 'Get an offering by id.',
  '7.write.profile':
    "Update the creator's displayName, bio, profileImageUrl, paygates, socialLinks and niches.",
  '7.write.offering': 'Create an offering (form fields plus coverImageUrl, createdAt, creatorId).',
  '7.write.changes': 'Update an offering (form fields plus coverImageUrl).',
  '7.write.delete': 'Delete an offering by id.',
  '7.files.profile': 'Upload the profile picture to profile_pictures/{uid}/{filename}.',
  '7.files.cover': 'Upload an offering cover to offering_images/{uid}/{timestamp}_{filename}.',
  '7.files.url': 'Then fetch the download URL and store it in the record.',
  '7.contact': 'POST JSON {name, email, subject, message} with an Accept JSON header.',
} as const;
