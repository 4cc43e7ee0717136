/** Texts of reorderable lists. */
export const order = {
  hint: '拖动或点击箭头调整顺序，松开后自动保存',
  up: '上移 {title}',
  down: '下移 {title}',
  moved: '{title}：第 {place} 位，共 {count} 项',
};
