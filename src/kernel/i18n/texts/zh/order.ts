/** Putting rows in order. */
export const order = {
  hint: '拖动，或用每行的箭头；松手即保存',
  up: '上移 {title}',
  down: '下移 {title}',
  moved: '{title}：第 {place} 位，共 {count} 项',
};
