import archive from 'lucide/dist/esm/icons/archive.mjs';
import calendarOff from 'lucide/dist/esm/icons/calendar-off.mjs';
import circle from 'lucide/dist/esm/icons/circle.mjs';
import circleDashed from 'lucide/dist/esm/icons/circle-dashed.mjs';
import diamond from 'lucide/dist/esm/icons/diamond.mjs';
import eyeOff from 'lucide/dist/esm/icons/eye-off.mjs';
import triangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import { Icon } from './icon.tsx';

const solid = 'size-3 shrink-0 fill-current';
const outline = 'size-4 shrink-0';

export const PublishedIcon = () => <Icon node={circle} className={solid} />;
export const DraftIcon = () => <Icon node={circleDashed} className={outline} />;
export const HiddenIcon = () => <Icon node={eyeOff} className={outline} />;
export const SoldOutIcon = () => <Icon node={diamond} className={solid} />;
export const ArchivedIcon = () => <Icon node={archive} className={outline} />;
export const TakenDownIcon = () => <Icon node={triangleAlert} className={outline} />;
export const EndedIcon = () => <Icon node={calendarOff} className={outline} />;
