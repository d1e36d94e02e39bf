import download from 'lucide/dist/esm/icons/download.mjs';
import { Icon } from './icon.tsx';

// Apart from those of the editors, which a visitor's page has no use for.
export const DownloadIcon = () => <Icon node={download} />;
