import sharp from 'sharp';
import { banners, materials } from './company.mjs';

const depart = '/api/things-resource/depart';
const miniapp = '/api/oms-system/miniapp';

/** Uploads material for tasks as the operator and approves it as the administrator; returns the ids of the files. */
export async function uploadMaterial(operator, admin) {
  const ids = [];
  for (const { folder, names } of materials) {
    const { id: pid } = await operator.post(`${depart}/submitCatiry`, { name: folder });
    for (const name of names) {
      const url = await uploaded(operator, name, await drawn(name, ids.length, 900, 600));
      const { id } = await operator.post(`${depart}/submitFile`, { url, name: `${name}.png`, pid });
      ids.push(id);
    }
  }
  // The last file stays unreviewed.
  await admin.post(`${depart}/updateStatusById`, { ids: ids.slice(0, -1), status: 1 });
  return ids.slice(0, -1);
}

/** Configures the pages of the mini-app. */
export async function configureMiniApp(admin) {
  await admin.post(`${miniapp}/updatesetting`, {
    app_name: '点灯任务',
    logo: await uploaded(admin, 'logo', await drawn('灯', 3, 240, 240)),
    notice: '每周二、周五结算，审核通过后到账',
    service_phone: '13800001000',
    service_wechat: 'diandeng-kefu',
    claim_limit: 0,
    submit_hours: 24,
    audit_hours: 48,
    min_withdraw: 100,
    withdraw_rate: 0,
    daily_withdraw_limit: 1,
    auto_pay: 0,
  });
  for (const [place, title] of banners.entries())
    await admin.post(`${miniapp}/addbanner`, {
      title,
      image: await uploaded(admin, `banner-${place}`, await drawn(title, place, 750, 320)),
      position: place < 3 ? 'home' : 'task',
      link_type: 0,
      status: 1,
    });
}

async function uploaded(caller, name, picture) {
  const { link } = await caller.upload('/api/file/uploadFile', `${name}.png`, picture);
  return link;
}

/** Draws a picture that shows its name. */
function drawn(name, number, width, height) {
  const hue = (number * 67 + 200) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 65% 55%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 60% 38%)"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#g)"/>
    <circle cx="${width * 0.78}" cy="${height * 0.4}" r="${height * 0.24}" fill="hsl(${(hue + 90) % 360} 75% 80%)"/>
    <text x="${width * 0.07}" y="${height * 0.58}" font-size="${height * 0.13}" fill="white">${name}</text></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
