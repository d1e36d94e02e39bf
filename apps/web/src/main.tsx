import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { loadConfig } from './api/config.ts';
import { resolveSession } from './auth/resolve-session.ts';
import { AppRoutes } from './routes.tsx';
import { MediaUrl } from './ui/picture.tsx';
import { StartFailed } from './start-failed.tsx';
import './styles.css';

const root = createRoot(document.getElementById('root') ?? document.body);

try {
  const config = await loadConfig();
  await resolveSession();
  root.render(
    <StrictMode>
      <MediaUrl value={config.mediaUrl}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </MediaUrl>
    </StrictMode>,
  );
} catch (error) {
  console.error(error);
  root.render(<StartFailed />);
}
