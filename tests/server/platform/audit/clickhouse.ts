import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** True where Debian's `clickhouse-server` is installed. */
export const hasClickHouse = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'clickhouse-server')));

/** Starts `clickhouse-server` in a folder, on ports that are free. */
export async function startClickHouse(folder: string) {
  const [http, tcp] = [await freePort(), await freePort()];
  for (const name of ['data', 'tmp', 'formats']) await mkdir(join(folder, name));
  const path = (name: string) => join(folder, name);
  await writeFile(
    path('config.xml'),
    `<yandex><logger><level>error</level><log>${path('server.log')}</log><errorlog>${path('error.log')}</errorlog></logger>
<http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host><path>${path('data')}/</path><tmp_path>${path('tmp')}/</tmp_path>
<format_schema_path>${path('formats')}/</format_schema_path><users_config>${path('users.xml')}</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>10485760</mark_cache_size></yandex>`,
  );
  await writeFile(
    path('users.xml'),
    `<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`,
  );
  const server = spawn('clickhouse-server', [`--config-file=${path('config.xml')}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${http}`;
  await answers(server, url);
  return {
    url,
    async query(text: string): Promise<string> {
      const response = await fetch(url, { method: 'POST', body: text });
      const reply = await response.text();
      if (!response.ok) throw new Error(reply);
      return reply;
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function answers(server: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`clickhouse-server ended with ${server.exitCode}.`);
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('clickhouse-server does not answer.');
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as { port: number };
      socket.close(() => resolve(port));
    });
  });
