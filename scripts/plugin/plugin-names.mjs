/** Validates the id and the titles of a new plugin. This file imports nothing, because `create-marquee-plugin` contains a copy of it. */

const chinese = /[㐀-鿿]/;

/** Throws an error if the id cannot be that of a plugin. */
export function assertPluginId(id) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length > 32)
    throw new Error(`Invalid plugin id "${id}". Use up to 32 lowercase letters, digits and single hyphens, such as loyalty-points.`);
}

/** Returns the titles in Chinese and English. A single English title serves both languages; a Chinese one is paired with an English one derived from the id. */
export function titlesOf(id, title = '') {
  const words = id.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const titles = title
    .split(/[,，]/)
    .map((part) => part.trim())
    .filter(Boolean);
  if (titles.length > 2) throw new Error(`--title takes one Chinese and one English title, such as 灯具,Lamps; "${title}" has ${titles.length} parts.`);
  const [first = words, second = chinese.test(first) ? words : first] = titles;
  if (chinese.test(second)) throw new Error(`--title takes the Chinese title first and the English one second, such as 灯具,Lamps; "${second}" is Chinese.`);
  return [first, second];
}
