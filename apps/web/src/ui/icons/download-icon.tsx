import download from 'lucide/dist/esm/icons/download.mjs';
import { Icon } from './icon.tsx';

// In its own file, since a visitor's page does not need the editors' icons.
export const DownloadIcon = () => <Icon node={download} />;
