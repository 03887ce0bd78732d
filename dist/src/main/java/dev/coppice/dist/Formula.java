package dev.coppice.dist;

import dev.coppice.backup.UploadStore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A formula of Homebrew for the archive. */
final class Formula {
    private static final Map<String, String> BLOCKS =
            Map.of("linux", "on_linux", "macos", "on_macos", "x64", "on_intel", "arm64", "on_arm");

    private Formula() {}

    /** Writes it; {@code from} is the address of the directory with the archive. */
    static Path write(String version, String platform, Path archive, String from, Path to)
            throws IOException {
        int cut = platform.indexOf('-');
        var text =
                """
                class Coppice < Formula
                  desc "Control plane for trees of agent sessions"
                  homepage "https://coppice.dev"
                  version "%1$s"
                  license "Apache-2.0"

                  %2$s do
                    %3$s do
                      url "%4$s/%5$s"
                      sha256 "%6$s"
                    end
                  end

                  def install
                    libexec.install Dir["*"]
                    bin.install_symlink Dir[libexec/"bin/*"]
                    man1.install_symlink Dir[libexec/"share/man/man1/*"]
                    share = libexec/"share"
                    bash_completion.install_symlink share/"bash-completion/completions/coppice"
                    zsh_completion.install_symlink share/"zsh/site-functions/_coppice"
                    fish_completion.install_symlink share/"fish/vendor_completions.d/coppice.fish"
                  end

                  service do
                    run [opt_bin/"coppice", "up"]
                    keep_alive crashed: true
                    log_path var/"log/coppice.log"
                    error_log_path var/"log/coppice.log"
                  end

                  test do
                    assert_match version.to_s, shell_output("#{bin}/coppice version")
                  end
                end
                """
                        .formatted(
                                version,
                                BLOCKS.get(platform.substring(0, cut)),
                                BLOCKS.get(platform.substring(cut + 1)),
                                from,
                                archive.getFileName(),
                                UploadStore.sha256(archive));
        var file = to.resolve("coppice.rb");
        Trees.text(file, text);
        return file;
    }
}
