import { Icon } from './icon.tsx';

export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const PencilIcon = () => (
  <Icon>
    <path d="m4 20 1-4.5L16.2 4.3a1.8 1.8 0 0 1 2.6 0l.9.9a1.8 1.8 0 0 1 0 2.6L8.5 19 4 20Z" />
  </Icon>
);
export const BinIcon = () => (
  <Icon>
    <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 11v5M14 11v5" />
  </Icon>
);
export const UploadIcon = () => (
  <Icon>
    <path d="M12 16V5M7.5 9 12 4.5 16.5 9M4.5 16v2A1.5 1.5 0 0 0 6 19.5h12a1.5 1.5 0 0 0 1.5-1.5v-2" />
  </Icon>
);
export const DownloadIcon = () => (
  <Icon>
    <path d="M12 4.5v11M7.5 11l4.5 4.5 4.5-4.5M4.5 16v2A1.5 1.5 0 0 0 6 19.5h12a1.5 1.5 0 0 0 1.5-1.5v-2" />
  </Icon>
);
export const FileIcon = () => (
  <Icon>
    <path d="M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5ZM13.5 3.5v5h5" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <path d="M9 8.5h9.5A1.5 1.5 0 0 1 20 10v9.5a1.5 1.5 0 0 1-1.5 1.5H9a1.5 1.5 0 0 1-1.5-1.5V10A1.5 1.5 0 0 1 9 8.5ZM4 15.5V4.5A1.5 1.5 0 0 1 5.5 3h11" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);
export const RotateIcon = () => (
  <Icon>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5" />
  </Icon>
);
export const UpIcon = () => (
  <Icon>
    <path d="M12 19V5M6 11l6-6 6 6" />
  </Icon>
);
export const DownIcon = () => (
  <Icon>
    <path d="M12 5v14M6 13l6 6 6-6" />
  </Icon>
);
export const GripIcon = () => (
  <Icon>
    <path strokeWidth="2.6" d="M9 6h0M9 12h0M9 18h0M15 6h0M15 12h0M15 18h0" />
  </Icon>
);
export const PinIcon = () => (
  <Icon>
    <path d="M9 4h6l-.8 6 3.3 3.5h-11L9.8 10 9 4ZM12 13.5V20.5" />
  </Icon>
);
