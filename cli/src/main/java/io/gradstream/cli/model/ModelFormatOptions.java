// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.model.ModelFile;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.Locale;

/** The option by which a file with a model is safetensors or CSV. */
final class ModelFormatOptions
{
    private static final String SAFETENSORS = "safetensors";
    private static final String CSV = "csv";
    /** Name of safetensors' predecessor, which still stands in scripts. */
    private static final String MODEL = "model";

    @Option(names = "--format", paramLabel = "safetensors|csv",
        description = "safetensors: everything, with specifications and the state of update functions; csv: values" +
            " alone. Default: csv if FILE ends in .csv, else safetensors.")
    private String format;

    /**
     * True if the file is CSV, and not safetensors.
     *
     * @param what names the file in messages.
     */
    boolean isCsv(final String what, final Path file)
    {
        final String name = file.toString().toLowerCase(Locale.ROOT);
        UsageException.refuseIf("npz".equals(format) || (null == format && name.endsWith(".npz")),
            what + " " + file + ": NumPy reads " + ModelFile.SUFFIX + " (docs/MODELS.md), .npz is gone");
        if (null != format && !MODEL.equals(format))
        {
            CommonOptions.checkWord("format", format, SAFETENSORS, CSV);
        }

        return CSV.equals(format) || (null == format && name.endsWith("." + CSV));
    }
}
