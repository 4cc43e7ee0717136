import { type PluginSamples, storedFileKey } from '../../kit/samples.ts';

const picture = { type: 2, url: `/file?key=${storedFileKey}`, userId: '$admin', createUser: '$admin', parentId: 0 };

export default {
  rows: [
    { entity: 'depart_resource', as: 'waiting_resource', values: { ...picture, name: '待审' } },
    { entity: 'depart_resource', values: picture },
  ],
  statements: ["update depart_resource set status = 1 where name <> '待审'"],
} satisfies PluginSamples;
