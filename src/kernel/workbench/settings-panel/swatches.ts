import type { LocalizedText } from '#shared/text';

/** Suggested colours; the first is the console's own. They are in lower case, as a browser's colour input returns them. */
export const swatches = [
  { value: '#409eff', title: ['晴空蓝', 'Sky blue'] },
  { value: '#2f54eb', title: ['靛蓝', 'Indigo'] },
  { value: '#722ed1', title: ['紫罗兰', 'Violet'] },
  { value: '#eb2f96', title: ['玫红', 'Magenta'] },
  { value: '#f5222d', title: ['朱红', 'Red'] },
  { value: '#fa8c16', title: ['橙', 'Orange'] },
  { value: '#52c41a', title: ['草绿', 'Green'] },
  { value: '#13c2c2', title: ['青', 'Cyan'] },
] as const satisfies readonly { readonly value: string; readonly title: LocalizedText }[];
