// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.HoldOut;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the training data: files, or generated data. */
@OptionGroup(Heading.DATA)
public final class DataOptions
{
    @Option(names = "--data", paramLabel = "FILE", split = CommonOptions.COMMA,
        description = "Training data, as --format says, plain, .gz or .zst: files, directories or patterns," +
            " separated by commas. Default: generated clicks.")
    public List<Path> files = List.of();

    @Advanced
    @Option(names = "--labels", paramLabel = "FILE", split = CommonOptions.COMMA,
        description = "Of idx: the labels of each file of --data.")
    List<Path> labels = List.of();

    @Option(names = "--hold-out", paramLabel = "SHARE",
        description = "Share of the examples of --data that nobody trains on, chosen by --seed: the test of train" +
            " without --test. Default: 0.1 in train without --test, else 0.")
    public Double holdOut;

    @Option(names = "--examples", paramLabel = "N", defaultValue = "100000",
        description = "Training examples to generate. Default: ${DEFAULT-VALUE}.")
    public int examples;

    @Option(names = "--features", paramLabel = "N", defaultValue = "16384",
        description = "Features of generated data. Default: ${DEFAULT-VALUE}.")
    public int features;

    @Mixin
    public DataFormatOptions format;

    void validate(final long seed)
    {
        files = DataFiles.named(files);
        labels = DataFiles.named(labels);
        format.validate(true);
        if (files.isEmpty())
        {
            clickLogSpec(seed);
        }
        DataFiles.check("data", files);
        format.checkLabelFiles("labels", files, labels);
        if (null != holdOut)
        {
            CommonOptions.checkRange("hold-out", holdOut, 0, HoldOut.MAX_SHARE);
            UsageException.refuseIf(files.isEmpty() && holdOut > 0,
                "--hold-out without --data: generated data bring their own test set");
        }
    }

    /** Refuse a file that is not there. */
    public static void checkFile(final String option, final Path file)
    {
        checkNamed("--" + option + " " + file + ": ", file);
    }

    /**
     * Refuse a file that is not there.
     *
     * @param name that a message begins with.
     */
    public static void checkNamed(final String name, final Path file)
    {
        UsageException.refuseIf(Files.isDirectory(file), name + "is a directory: name a file");
        UsageException.refuseIf(DataFiles.isStream(file),
            name + "is a pipe or a device: name a file, which can be read more than once");
        UsageException.refuseIf(!Files.isRegularFile(file) || !Files.isReadable(file),
            name + "no such file, or not readable");
    }

    /**
     * Refuse a file that is not to be replaced, or whose place cannot be written to.
     *
     * @param isOverwriting true if an existing file is to be replaced.
     */
    public static void checkNew(final String option, final Path file, final boolean isOverwriting)
    {
        final String name = "--" + option + " " + file;
        UsageException.refuseIf(Files.isDirectory(file), name + ": is a directory: name a file in it");
        UsageException.refuseIf(DataFiles.isStream(file),
            name + ": is a pipe or a device: name a file, which takes its name when it is" +
                " whole");
        UsageException.refuseIf(!isOverwriting && Files.exists(file), name + " is there already: name another file");
        final Path parent = file.toAbsolutePath().getParent();
        UsageException.refuseIf(null == parent || !Files.isDirectory(parent),
            name + ": there is no directory " + parent);
        UsageException.refuseIf(!Files.isWritable(parent), name + ": " + parent + " cannot be written to");
    }

    /** True if there is no file, so that data are generated. */
    public boolean isGenerated()
    {
        return files.isEmpty();
    }

    /** The parameters of the generated data. */
    public ClickLog.Spec clickLogSpec(final long seed)
    {
        return UsageException.refusing(() ->
            ClickLog.Spec.defaults(seed).withExamples(examples).withFeatures(features));
    }

    /** All files that are read: data, then labels. */
    public List<Path> allFiles()
    {
        final List<Path> all = new ArrayList<>(DataFiles.expanded(files));
        all.addAll(DataFiles.expanded(labels));
        return all;
    }

    /** Read all files. */
    public Examples read(final ExampleRule rule)
    {
        return format.read(files, labels, rule);
    }

    /** Examples of the data that are trained on. */
    public Examples trainingPart(final Examples all, final long seed)
    {
        return null == holdOut || 0 == holdOut ? all : new HoldOut(holdOut, seed).trainingPart(all);
    }

    List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>();
        if (isGenerated())
        {
            arguments.addAll(List.of("--examples=" + examples, "--features=" + features));
        }
        else
        {
            arguments.addAll(format.arguments());
            arguments.add("--data=" + DataFormatOptions.joined(files));
            arguments.add("--hold-out=" + (null == holdOut ? 0 : holdOut));
        }
        if (!labels.isEmpty())
        {
            arguments.add("--labels=" + DataFormatOptions.joined(labels));
        }
        return arguments;
    }
}
