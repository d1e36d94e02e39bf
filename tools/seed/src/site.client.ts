import type {
  Creator,
  NewOfferingForm,
  Offering,
  Picture,
  ProfileForm,
  PublicCreator,
  PublicOffering,
  ReportForm,
  SiteConfig,
  UploadGrant,
  UploadPurpose,
} from '@stoa/contracts';
import type { Account } from './account.ts';
import type { PictureFile } from './creators.ts';
import { HttpRefusal, send } from './http.ts';

/** The public site, as visitors use it. */
export class SiteClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  config(): Promise<SiteConfig> {
    return this.#read('/api/config');
  }

  /** The public data of a creator; undefined if there is none of that name. */
  async find(username: string): Promise<{ creator: PublicCreator; offerings: PublicOffering[] } | undefined> {
    try {
      const creator = await this.#read<PublicCreator>(`/api/creators/${username}`);
      const { items } = await this.#read<{ items: PublicOffering[] }>(`/api/creators/${username}/offerings`);
      return { creator, offerings: items };
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Reports a page as a visitor. */
  async report(form: ReportForm): Promise<void> {
    await send(`${this.#url}/api/reports`, {
      method: 'POST',
      repeatable: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
  }

  as(account: Account): CreatorClient {
    return new CreatorClient(this.#url, account);
  }

  async #read<T>(path: string): Promise<T> {
    return (await send(this.#url + path, { repeatable: true })).json() as Promise<T>;
  }
}

/** The site as a signed-in creator uses it. */
export class CreatorClient {
  readonly #url: string;
  readonly #account: Account;

  constructor(url: string, account: Account) {
    this.#url = url;
    this.#account = account;
  }

  open(): Promise<Creator> {
    return this.#call('POST', '/api/session');
  }

  saveProfile(form: ProfileForm): Promise<Creator> {
    return this.#call('PUT', '/api/me/profile', form);
  }

  async offerings(): Promise<Offering[]> {
    return (await this.#call<{ items: Offering[] }>('GET', '/api/me/offerings')).items;
  }

  /** Creates an offering. A failed request is not repeated, because it may have succeeded. */
  createOffering(form: NewOfferingForm): Promise<Offering> {
    return this.#call('POST', '/api/offerings', form, false);
  }

  /** Uploads a picture to the object store as the browser does, and returns its id. */
  async upload(purpose: UploadPurpose, { filename, contentType, bytes }: PictureFile): Promise<string> {
    const size = bytes.length;
    const { id, url, fields } = await this.#call<UploadGrant>('POST', '/api/uploads', {
      purpose,
      filename,
      contentType,
      size,
    });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)], { type: contentType }), filename);
    await send(url, { method: 'POST', body: form, repeatable: true });
    return (await this.#call<Picture>('POST', `/api/uploads/${id}/complete`)).id;
  }

  async #call<T>(method: string, path: string, body?: unknown, repeatable = true): Promise<T> {
    const response = await send(this.#url + path, {
      method,
      repeatable,
      headers: {
        authorization: `Bearer ${await this.#account.token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return response.json() as Promise<T>;
  }
}
