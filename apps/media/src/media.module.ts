import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { AccountExportService } from './account-export.service.ts';
import { AccountExporter } from './account-exporter.ts';
import { CardRenderer } from './card-renderer.ts';
import { CardStorageClient } from './card-storage.client.ts';
import { ExportStorageClient } from './export-storage.client.ts';
import { MediaConfig } from './media.config.ts';
import { MediaController } from './media.controller.ts';
import { MediaListener } from './media.listener.ts';
import { MediaRepository } from './media.repository.ts';
import { MediaService } from './media.service.ts';
import { MediaSweeper } from './media.sweeper.ts';
import { PictureEncoder } from './picture-encoder.ts';
import { PicturePreviewService } from './picture-preview.service.ts';
import { PreviewCardService } from './preview-card.service.ts';
import { RemovalSweeper } from './removal.sweeper.ts';
import { StorageClient } from './storage.client.ts';
import { UploadChecker } from './upload-checker.ts';
import { UploadRemover } from './upload-remover.ts';
import { WithdrawalStorageClient } from './withdrawal-storage.client.ts';
import { WithdrawalService } from './withdrawal.service.ts';
import { WithdrawalSweeper } from './withdrawal.sweeper.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [MediaController],
  providers: [
    MediaConfig,
    MediaListener,
    AccountExportService,
    AccountExporter,
    CardRenderer,
    CardStorageClient,
    ExportStorageClient,
    MediaService,
    MediaRepository,
    MediaSweeper,
    RemovalSweeper,
    PictureEncoder,
    PicturePreviewService,
    PreviewCardService,
    StorageClient,
    UploadChecker,
    UploadRemover,
    WithdrawalService,
    WithdrawalStorageClient,
    WithdrawalSweeper,
  ],
})
export class MediaModule {}
