// What the form works without comes after it, in one piece.
export { MessageLength } from './message-length.tsx';
export { SignedInSender } from './signed-in-sender.tsx';
