import sharp from 'sharp';

const hues = [205, 340, 150, 28, 265, 190];

/** Draws a screenshot as members submit it; the number makes each one unique. */
export function pictureOf(number, title) {
  const hue = hues[number % hues.length];
  const bars = Array.from(
    { length: 6 },
    (_, place) => `<rect x="24" y="${330 + place * 26}" width="${90 + ((number * (place + 3) * 37) % 200)}" height="12" rx="6" fill="hsl(${hue} 20% 82%)"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="540">
    <rect width="360" height="540" fill="hsl(${hue} 40% 97%)"/>
    <rect x="24" y="56" width="312" height="220" rx="16" fill="hsl(${hue} 55% ${52 + (number % 5) * 5}%)"/>
    <circle cx="${70 + ((number * 53) % 220)}" cy="${110 + ((number * 29) % 110)}" r="${28 + (number % 7) * 6}" fill="hsl(${(hue + 40) % 360} 70% 75%)"/>
    <text x="24" y="38" font-size="20" fill="hsl(${hue} 40% 25%)">@${1000 + number}</text>
    <text x="24" y="310" font-size="16" fill="hsl(${hue} 40% 25%)">${title.slice(0, 18)}</text>${bars.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 32, compressionLevel: 6 }).toBuffer();
}
