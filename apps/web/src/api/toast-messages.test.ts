import { expect, test } from '@jest/globals';
import { creatorErrorMessages } from './creator/creator-messages.ts';

// A toast has two lines on a phone.
test.each(['offeringArchive', 'offeringDelete', 'offeringOrder', 'offeringDuplicate'] as const)(
  'the messages of %s fit into a toast',
  (name) => {
    const tooLong = Object.values(creatorErrorMessages[name]).filter((text) => text.length > 60);
    expect(tooLong).toEqual([]);
  },
);
