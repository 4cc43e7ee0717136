/** About how many pixels a label of 14 px takes: a Chinese character is nearly twice as wide as a Latin letter. */
export const textWidth = (text: string): number => [...text].reduce((width, letter) => width + (letter > '\u2e80' ? 14 : 8), 0);
