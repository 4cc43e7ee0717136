import type { Words } from '#shared/text';

/** Colours to begin with; the first is the console's own. In lower case, as a browser's colour field answers. */
export const swatches = [
  { value: '#409eff', title: ['晴空蓝', 'Sky blue'] },
  { value: '#2f54eb', title: ['靛蓝', 'Indigo'] },
  { value: '#722ed1', title: ['紫罗兰', 'Violet'] },
  { value: '#eb2f96', title: ['玫红', 'Magenta'] },
  { value: '#f5222d', title: ['朱红', 'Red'] },
  { value: '#fa8c16', title: ['橙', 'Orange'] },
  { value: '#52c41a', title: ['草绿', 'Green'] },
  { value: '#13c2c2', title: ['青', 'Cyan'] },
] as const satisfies readonly { readonly value: string; readonly title: Words }[];
